// From the main script: which comes first depends on how long the script took (ORD-01). Two outcomes.
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
