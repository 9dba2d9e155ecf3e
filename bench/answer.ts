/** `npm run bench:answer [-- CLI…]` by keys; `-- --page` on the page; `-- --http [CLI…]` over HTTP alone. Each part says what it shows. */
if (process.argv.includes('--http')) await import('./answer/over-http.ts')
else await import('./answer/by-keys.ts')
