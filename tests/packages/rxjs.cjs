'use strict';
const { from, fromEvent, interval, merge, of, Subject, throwError, lastValueFrom } = require('rxjs');
const {
  bufferCount,
  catchError,
  concatMap,
  debounceTime,
  delay,
  filter,
  map,
  retry,
  switchMap,
  take,
  toArray,
} = require('rxjs/operators');
const { EventEmitter } = require('events');

(async () => {
  console.log(await lastValueFrom(from([1, 2, 3, 4, 5]).pipe(filter((n) => n % 2), map((n) => n * n), toArray())));
  console.log(await lastValueFrom(interval(1).pipe(take(4), bufferCount(2), toArray())));
  console.log(await lastValueFrom(from(['a', 'b']).pipe(concatMap((x) => of(x, x + x).pipe(delay(2))), toArray())));
  let tries = 0;
  console.log(await lastValueFrom(throwError(() => new Error(`try ${++tries}`)).pipe(retry(2),
    catchError((e) => of(e.message)))));
  const emitter = new EventEmitter();
  const heard = lastValueFrom(fromEvent(emitter, 'x').pipe(take(3), toArray()));
  for (let i = 0; i < 5; i++) emitter.emit('x', i);
  console.log(await heard, emitter.listenerCount('x'));
  const subject = new Subject();
  const settled = lastValueFrom(subject.pipe(debounceTime(5), switchMap((x) => of(`settled ${x}`)), take(1)));
  subject.next(1);
  subject.next(2);
  console.log(await settled);
  console.log(await lastValueFrom(merge(of(1).pipe(delay(6)), of(2)).pipe(toArray())));
})();
