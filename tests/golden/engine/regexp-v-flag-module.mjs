// The flag v of regular expressions in a module, beside import attributes, which are rewritten, too.
import data from 'data:application/json,[1]' with { type: 'json' };

console.log(data, 'Bb'.replace(/[\p{L}--[a-z]]/gv, '_'), 'x'.match(/[[xy]--y]|z/v)?.[0] ?? 'none');
