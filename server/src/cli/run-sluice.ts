import { parseArgs } from 'node:util';
import { readConfig } from '#config/read-config.ts';
import { ConfigurationError } from '#configuration-file/faults.ts';
import { type Command, type CommandInput, parserOptionsOf, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { formatInstallation, requireNamedInstallation } from './installation.ts';

const exitCodes = `Exit codes
  0  done
  1  the command or a check failed; standard error says why
  2  invalid usage, or --plan found something to create; nothing was done
`;

function formatHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => formatCall(command).length));
  const lines = commands.map((command) => `  ${formatCall(command).padEnd(width)}  ${command.summary}`);
  return `Usage: npx sluice COMMAND [OPTIONS]

${lines.join('\n')}

\`npx sluice help COMMAND\` shows more. Every command accepts --json and then prints JSON. Run them in the folder of Sluice
with the variables of the server (SLUICE_DATA_DIR or DATABASE_URL); Sluice may be running.

${formatPlaces('COMMAND')}
${exitCodes}`;
}

function formatCommandHelp(command: Command): string {
  const options = [
    ...Object.entries(command.options ?? {}).map(([name, { short, summary, value }]) => [
      `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      summary,
    ]),
    ['--json', 'prints JSON'],
  ];
  const width = Math.max(...options.map(([name = '']) => name.length));
  const lines = options.map(([name = '', summary]) => `  ${name.padEnd(width)}  ${summary}`);
  const details = command.details ? `\n${command.details}\n` : '';
  return `Usage: npx sluice ${formatCall(command)}\n\n${command.summary}.\n${details}\n${lines.join('\n')}\n${command.isLocal ? '' : `\n${formatPlaces(formatCall(command))}`}`;
}

/**
 * Explains how to run a command with the variables of the service, so that the command acts on the correct
 * installation.
 */
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

const [failed, wrongUsage] = [1, 2];

export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: CommandInput;
  readonly stdout: Pick<NodeJS.WritableStream, 'write'>;
  readonly stderr: Pick<NodeJS.WritableStream, 'write'>;
}

export async function runSluice(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  try {
    return await run(args, environment);
  } catch (error) {
    const message = formatError(error);
    const faults = error instanceof ConfigurationError ? { faults: error.faults } : {};
    const text = args.includes('--json') ? JSON.stringify({ error: message, ...faults }) : message.trimEnd();
    environment.stderr.write(`${text}\n`);
    return error instanceof UsageError ? wrongUsage : failed;
  }
}

async function run(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const [first] = args;
  if (first === '--json') return run([...args.slice(1), '--json'], environment);
  if (first === '--version') return run(['version', ...args.slice(1)], environment);
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    environment.stdout.write(formatHelpOf(args.slice(1).filter((word) => !word.startsWith('-'))));
    return first === undefined ? wrongUsage : 0;
  }
  const command = findCommand(args);
  if (!command) {
    if (args.includes('--help') || args.includes('-h')) return run(['help', first], environment);
    throw new UsageError(formatUnknown(args.filter((word) => !word.startsWith('-'))));
  }
  return runCommand(command, args.slice(command.name.split(' ').length), environment);
}

function formatHelpOf(words: readonly string[]): string {
  const command = findCommand(words);
  if (command) return formatCommandHelp(command);
  const onNoun = listOnNoun(words[0]);
  if (words.length === 0 || (words.length === 1 && onNoun.length > 0))
    return formatHelp(words.length === 0 ? commands : onNoun);
  throw new UsageError(formatUnknown(words));
}

/** Lists the commands with the given noun, or all commands for an unknown noun. */
function formatUnknown(words: readonly string[]): string {
  const onNoun = listOnNoun(words[0]);
  const said = words.slice(0, 2).join(' ');
  return `Unknown command "${said}".\n\n${formatHelp(onNoun.length > 0 ? onNoun : commands)}`;
}

const listOnNoun = (noun: string | undefined) => commands.filter(({ name }) => name.startsWith(`${noun} `));

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
}

async function runCommand(
  command: Command,
  args: readonly string[],
  { env, stdin, stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const { values, positionals } = parse(command, args);
  const { json = false, help = false, ...options } = values;
  if (help) {
    stdout.write(formatCommandHelp(command));
    return 0;
  }
  const operands = nameOperands(command, positionals);
  const config = readConfig(env);
  if (!command.isLocal) {
    // This check is first, so that a command never acts on the wrong installation.
    requireNamedInstallation(config);
    const installation = formatInstallation(config);
    stderr.write(json ? `${JSON.stringify({ installation })}\n` : `On the ${installation}\n`);
  }
  const answer = await command.run({
    config,
    env,
    input: stdin,
    operands,
    options: options as Readonly<Record<string, string | boolean | undefined>>, // safe because no option is declared as `multiple`
    isJson: json === true,
    note: (text) => void stderr.write(`${text}\n`),
    line: (text) => void stdout.write(`${text}\n`),
  });
  const text: string | undefined = json ? JSON.stringify(answer.json) : answer.text;
  if (text !== undefined && text !== '') stdout.write(`${text}\n`);
  return answer.exitCode ?? 0;
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: parserOptionsOf(command) });
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : error}\n\n${formatCommandHelp(command)}`,
    );
  }
}

function nameOperands(command: Command, given: readonly string[]): Record<string, string> {
  const names = command.operands ?? [];
  const needed = names.filter((name) => !name.startsWith('[')).length;
  if (given.length < needed || given.length > names.length) throw new UsageError(formatCommandHelp(command));
  return Object.fromEntries(given.map((text, index) => [names[index]?.replace(/[[\]]/g, ''), text]));
}

/** Formats an expected error as one line: its message, or the cause that a driver hides. */
function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && error.message.startsWith('Failed query')) return error.cause.message;
  if (error instanceof AggregateError) return error.errors.map(formatError).join('; ');
  return error.message;
}
