'use strict';
// The number of microtasks that each step of a stream takes, where a program can count them.
let turn;
const say = (...what) => console.log(`  ${turn}:`, ...what);

function pulled(count, strategy) {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      say('pull', next);
      if (next < count) controller.enqueue(next++);
      else controller.close();
    },
    cancel(reason) { say('cancel', reason); },
  }, strategy);
}

function bytes() {
  let count = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      say('pull');
      controller.enqueue(new Uint8Array(3));
      if (++count === 3) controller.close();
    },
  });
}

const show = (name) => ({ value, done }) => say(name, value, done);

const cases = {
  async queued() {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue('a');
        controller.enqueue('b');
        controller.close();
      },
    }, { highWaterMark: 0 });
    const iterator = stream.values();
    for (let i = 0; i < 2; i++) say((await iterator.next()).value);
  },
  async pulled() {
    for await (const chunk of pulled(2, { highWaterMark: 0 })) say(chunk);
  },
  async bytes() {
    for await (const { length } of bytes()) say(length);
  },
  async asyncStart() {
    const stream = new ReadableStream({
      async start(controller) {
        await null;
        controller.enqueue(1);
        controller.close();
      },
    });
    for await (const chunk of stream) say(chunk);
  },
  async breakOut() {
    for await (const chunk of pulled(3)) {
      say(chunk);
      break;
    }
    say('after');
  },
  async throwOut() {
    try {
      for await (const chunk of pulled(3)) throw chunk;
    } catch (error) {
      say('caught', error);
    }
  },
  async preventCancel() {
    const stream = pulled(3);
    for await (const chunk of stream.values({ preventCancel: true })) {
      say(chunk);
      break;
    }
    say('locked', stream.locked);
  },
  async errored() {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(1);
        controller.error('error');
      },
    });
    try {
      for await (const chunk of stream) say(chunk);
    } catch (error) {
      say('caught', error);
    }
  },
  async severalAtOnce() {
    const iterator = pulled(2).values();
    for (const name of ['a', 'b', 'c', 'd']) iterator.next().then(show(name));
    await iterator.return('end').then(show('return'));
  },
  async returnFirst() {
    const iterator = pulled(2).values();
    iterator.return('end').then(show('return'));
    await iterator.next().then(show('next'));
  },
  async returnWhilePending() {
    let controller;
    const stream = new ReadableStream({ start(given) { controller = given; } });
    const iterator = stream.values();
    iterator.next().then(show('next'));
    const ended = iterator.return('end').then(show('return'));
    await null;
    await null;
    controller.enqueue('late');
    await ended;
  },
  async byob() {
    const stream = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        say('pull');
        controller.byobRequest.respond(1);
      },
    });
    const reader = stream.getReader({ mode: 'byob' });
    for (let i = 0; i < 3; i++) say((await reader.read(new Uint8Array(4))).value.length);
  },
  async tee() {
    // The branches are closed in a tick, when all microtasks are done.
    const drain = async (stream, name) => {
      const reader = stream.getReader();
      for (;;) {
        const { value, done } = await reader.read();
        say(name, value, done);
        if (done) return;
      }
    };
    const [a, b] = pulled(2).tee();
    await Promise.all([drain(a, 'a'), drain(b, 'b')]);
  },
  async teeCancel() {
    const [a, b] = pulled(2).tee();
    await Promise.all([a.cancel(1).then(() => say('a')), b.cancel(2).then(() => say('b'))]);
  },
  async blob() {
    say(await new Blob(['ab', 'cd']).text());
    say((await new Blob(['ab', 'cd', 'e']).arrayBuffer()).byteLength);
  },
};

(async () => {
  for (const [name, run] of Object.entries(cases)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    console.log(name);
    turn = 0;
    let counted = Promise.resolve();
    for (let i = 0; i < 50; i++) counted = counted.then(() => turn++);
    await run();
    say('over');
  }
})();
