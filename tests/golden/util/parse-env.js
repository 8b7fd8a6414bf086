// util.parseEnv(): what a .env file may hold.
const { parseEnv } = require('util');

const files = [
  'A=1', 'A = 1 ', 'A="x y"', "A='x y'", 'A=`x y`', 'A="multi\nline"', "A='a\\nb'", 'A="a\\nb"', 'A=`a\\nb`', 'export A=1', '# c\nA=1', 'A=1 # c', 'A="1 # c" # d', 'A=', 'A=\nB=2', 'A', '=x',
  'A==b', 'A=b=c', 'A="unterminated\nB=2', "A='it\nB=2", 'A=x"y"', 'A="x"y', '  A=1\n\n\n  B=2  ', 'A=1\r\nB=2\r\n', 'A="a\r\nb"', 'A.B=1', 'A-B=1', '1A=2', 'A=$B', 'A=\\n', 'A="\\t"', "A=  'q'  ",
  'A="" ', "A=''", 'A=#x', 'A= #x', 'A=a#x', 'A="a"#x', 'exportC=1', 'A="a\\"b"', 'A=\t1\t', 'A="x" B="y"', 'A=1\nA=2', '# only', '', '\n\n', 'A="x\n#y"\nB=1', 'A=`x"\'y`', 'A=\'x"y`z\'', 'A="\n"',
  'A=x # y # z', 'export =1', 'A="b" # "c"', 'A=b "c"', "A=b'c'", 'A=\u00e9', 'A=1 B=2', '   ', 'A=1\n#B=2\nC=3', 'A="line1\\nline2\nline3"', 'A: 1', 'A=\n\nB=1', 'A =\nB=1', "A=' x '", 'A=" x "', 'A=` x `',
  'A="a', 'A=a"', "A='a\nb'\nC=d",
];
for (const file of files) console.log(JSON.stringify(file), JSON.stringify(parseEnv(file)));
for (const bad of [undefined, null, 5, {}, [], true, Symbol('s')]) {
  try {
    parseEnv(bad);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
{
  const { parseEnv } = require('util');
  console.log(Object.getPrototypeOf(parseEnv('a=1')), parseEnv('__proto__=x\nb=2'));
}
