'use strict';

const attempt = (what) => {
  try {
    console.log(what());
  } catch (err) {
    console.log(err?.name, err?.code, err?.message);
  }
};
attempt(() => new AbortSignal());
attempt(() => AbortSignal());
attempt(() => AbortController());
attempt(() => AbortSignal.prototype.aborted);
attempt(() => AbortSignal.prototype.reason);
attempt(() => AbortSignal.prototype.onabort);
attempt(() => AbortSignal.prototype.throwIfAborted.call({}));
attempt(() => Reflect.get(AbortController.prototype, 'signal', {}));
for (const delay of [undefined, null, '1', -1, 1.5, NaN, Infinity, 2 ** 32, 2 ** 53, {}, 10n]) attempt(() => AbortSignal.timeout(delay));
for (const signals of [undefined, null, 5, 'text', {}, [1], [null], [{}], new Set(), [new AbortController()]]) attempt(() => AbortSignal.any(signals));
const { signal } = new AbortController();
attempt(() => { signal.aborted = true; });
attempt(() => { signal.onabort = 5; return signal.onabort; });
attempt(() => { signal.onabort = null; return signal.onabort; });
attempt(() => signal.dispatchEvent(new Event('abort')) + ' ' + signal.aborted);
attempt(() => AbortSignal.abort(Symbol('s')).throwIfAborted());
