import { cpus, loadavg } from 'node:os';

/** Describes the conditions of a run: cores, load average, runtime and command. */
export function describeRun(name: string, args: string[]): string {
  const cores = cpus();
  const load = loadavg().map((average) => average.toFixed(2));
  const options = args.length > 0 ? ` -- ${args.join(' ')}` : '';
  return [
    `${cores.length} cores (${cores[0]?.model.trim()}), load average ${load.join(' ')}, Node ${process.version}`,
    `npm run bench ${name}${options}`,
  ].join('\n');
}
