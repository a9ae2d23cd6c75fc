import { startProgram } from '../programs/program.ts';
import { untilOrigin } from '../programs/readiness.ts';
import { providerAt } from './provider.ts';
import type { Surroundings, Target } from './subject.ts';

const script = new URL('../bare-proxy.ts', import.meta.url);

export async function startBareNode(
  { resources, upstream }: Surroundings,
  ...flags: string[]
): Promise<Target> {
  const launch = { name: 'bare proxy', script, args: [upstream, ...flags], hasChannel: true };
  const program = startProgram(resources, launch);
  return { ...providerAt(await program.expect(untilOrigin(program.child))), program };
}
