import type { Command } from './command.ts';

const exitCodes = `Exit codes
  0  done
  1  it failed, or a check did; standard error says why
  2  it was called wrongly; nothing was done
`;

/** Formats the list of all commands, one per line. */
export function formatHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => formatCall(command).length));
  const lines = commands.map((command) => `  ${formatCall(command).padEnd(width)}  ${command.summary}`);
  return `Usage: npx sluice COMMAND [OPTIONS]

${lines.join('\n')}

\`npx sluice help COMMAND\` tells more. Every command takes --json and then answers in JSON. Run them in the folder of Sluice
with the variables of the server (SLUICE_DATA_DIR or DATABASE_URL); Sluice may run meanwhile.

${formatPlaces('COMMAND')}
${exitCodes}`;
}

/** Formats the help of one command with its options. */
export function formatCommandHelp(command: Command): string {
  const options = [
    ...Object.entries(command.options ?? {}).map(([name, { value, summary }]) => [
      value ? `--${name} ${value}` : `--${name}`,
      summary,
    ]),
    ['--json', 'answers in JSON'],
  ];
  const width = Math.max(...options.map(([name = '']) => name.length));
  const lines = options.map(([name = '', summary]) => `  ${name.padEnd(width)}  ${summary}`);
  const details = command.details ? `\n${command.details}\n` : '';
  return `Usage: npx sluice ${formatCall(command)}\n\n${command.summary}.\n${details}\n${lines.join('\n')}\n\n${formatPlaces(formatCall(command))}`;
}

/** Describes how to run a command with the service's own variables, so that it acts on the right installation. */
function formatPlaces(call: string): string {
  return `Where Sluice runs as a service
  systemd     cd /opt/sluice && sudo systemd-run --pty --wait --collect --uid=sluice -p EnvironmentFile=/etc/sluice.env \\
                -p WorkingDirectory=/opt/sluice -E SLUICE_DATA_DIR=/var/lib/sluice \\
                /opt/sluice/node_modules/.bin/node scripts/sluice.mjs ${call}
  compose     docker compose -f deploy/compose.yaml exec node-1 node scripts/sluice.mjs ${call}
  Kubernetes  kubectl exec -it statefulset/RELEASE -- node scripts/sluice.mjs ${call}
`;
}

function formatCall({ name, operands = [] }: Command): string {
  return [name, ...operands].join(' ');
}
