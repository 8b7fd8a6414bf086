console.log('never');
await null;
