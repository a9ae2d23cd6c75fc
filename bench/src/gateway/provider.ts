import { startProgram } from '../programs/program.ts';
import { untilOrigin } from '../programs/readiness.ts';
import type { Target } from './subject.ts';

export async function startProvider(resources: AsyncDisposableStack): Promise<string> {
  const script = new URL('../../../sandbox/src/main.ts', import.meta.url);
  const { child, expect } = startProgram(resources, { name: 'sandbox', script, hasChannel: true });
  return expect(untilOrigin(child));
}

/** Returns the target for the provider itself, or for a proxy that accepts the same requests. */
export function providerAt(origin: string): Target {
  return { url: `${origin}/v1/chat/completions`, headers: { authorization: 'Bearer sk-benchmark' } };
}
