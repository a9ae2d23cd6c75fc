import { readConfig } from '#config/read-config.ts';
import { startProduct } from './start-product.ts';

async function main(): Promise<void> {
  await startProduct(readConfig());
}

// Who started it may have closed the terminal, or read enough.
process.stdout.on('error', () => undefined);
main().catch((error: unknown) => {
  process.stderr.write(`Sluice cannot start. ${formatFailure(error)}\n`);
  process.exit(1);
});

// What an operator can mend is told in words; a fault of the program needs its stack.
function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof TypeError || error instanceof ReferenceError ? String(error.stack) : error.message;
}
