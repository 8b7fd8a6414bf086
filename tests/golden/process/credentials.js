'use strict';
// User and group ids. As root most calls succeed; for other users only the errors are the same.
const t = (name, use) => {
  try {
    console.log(name, use());
  } catch (error) {
    console.log(name, error.name, error.code, error.syscall, error.errno, error.message);
  }
};
t('wrong type', () => process.setuid({}));
t('no such user', () => process.setuid('no-such-user'));
t('no such group', () => process.setgid('no-such-group'));
t('effective', () => process.seteuid('no-such-user'));
t('effective group', () => process.setegid(null));
t('no list', () => process.setgroups(5));
t('wrong item', () => process.setgroups([0, {}]));
t('unknown item', () => process.setgroups(['no-such-group']));
t('no user', () => process.initgroups());
t('no group', () => process.initgroups('root'));
t('unknown group', () => process.initgroups(0, 'no-such-group'));
t('negative', () => process.setuid(-1));
t('large', () => process.setuid(2 ** 40));
t('fraction', () => process.setuid(1.5));
console.log(process.getgroups().includes(process.getegid()), process.getuid() === process.geteuid());
console.log(process instanceof process.constructor, process.constructor.name);
for (const descriptor of [{ value: 'x' }, { get() {} }]) t('env', () => Object.defineProperty(process.env, 'X', descriptor));
process.env.TZ = 'Europe/Amsterdam';
console.log(new Date('2018-04-14T12:34:56.789Z').toString().slice(0, 33));
process.env.TZ = 'Europe/London';
console.log(new Date('2018-04-14T12:34:56.789Z').toString().slice(0, 33));
delete process.env.TZ;
