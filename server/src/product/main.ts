import { readConfig } from '#config/read-config.ts';
import { startProduct } from './start-product.ts';

async function main(): Promise<void> {
  await startProduct(readConfig());
}

// Output errors are ignored, since the parent process may have closed the terminal or stopped reading.
process.stdout.on('error', () => undefined);
main().catch((error: unknown) => {
  process.stderr.write(`Sluice cannot start. ${formatFailure(error)}\n`);
  process.exit(1);
});

function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof TypeError || error instanceof ReferenceError ? String(error.stack) : error.message;
}
