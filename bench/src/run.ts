// npm run bench <name> -- [options]. Without a name, all benchmarks run sequentially.
const benchmarks: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  anonymous: () => import('./anonymous/benchmark.ts'),
  bodies: () => import('./bodies/benchmark.ts'),
  budgets: () => import('./budgets/benchmark.ts'),
  chat: () => import('./chat/benchmark.ts'),
  disk: () => import('./disk/benchmark.ts'),
  gateway: () => import('./gateway/benchmark.ts'),
  idle: () => import('./idle/benchmark.ts'),
  intent: () => import('./intent/benchmark.ts'),
  leases: () => import('./leases/benchmark.ts'),
  logs: () => import('./logs/benchmark.ts'),
  shipping: () => import('./shipping/benchmark.ts'),
  start: () => import('./start/benchmark.ts'),
  streams: () => import('./streams/benchmark.ts'),
};

const [name, ...args] = process.argv.slice(2);
const chosen = name === undefined ? Object.values(benchmarks) : [benchmarks[name]];
try {
  for (const load of chosen) {
    if (!load)
      throw new Error(
        `unknown benchmark ${name}; available benchmarks: ${Object.keys(benchmarks).join(', ')}`,
      );
    const { run } = await load();
    await run(args);
  }
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}
process.exit();

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
