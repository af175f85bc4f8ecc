// Prints the milliseconds that importing the module named by the first argument takes, in this fresh process.

const begin = performance.now()
await import(process.argv[2] ?? '')
console.log(performance.now() - begin)
