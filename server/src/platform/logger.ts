import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { createRepeats, findOutage, foldsRepeats, type RepeatsOptions } from './fold-repeats.ts';

const standardOutputFd = 1;
const retryAfterMs = 100;
/** Maximum number of pending characters for a slow reader. Further lines are dropped. */
const waitingLengthMax = 2 ** 20;

let standardOutput: DestinationStream | undefined;

/**
 * Writes lines to standard output asynchronously. If the terminal is closed or the disk is full, lines are dropped
 * and the process continues. pino's own destination throws on most failures and retries forever at exit. All loggers
 * share one destination, because each destination adds an exit listener.
 */
function openStandardOutput(): DestinationStream {
  let waiting = '';
  let isWriting = false;

  const writeWaiting = () => {
    isWriting = waiting !== '';
    if (!isWriting) return;
    const bytes = Buffer.from(waiting);
    waiting = '';
    writeAll(bytes, writeWaiting);
  };
  process.once('exit', () => {
    try {
      if (waiting !== '') writeSync(standardOutputFd, waiting);
    } catch {
      // Standard output is the only output for errors, so its own errors cannot be reported.
    }
  });
  return {
    write(line) {
      if (waiting.length + line.length <= waitingLengthMax) waiting += line;
      if (isWriting) return;
      isWriting = true;
      // Writes are deferred. A write in progress when the process exits may be lost, but pending lines are not.
      setImmediate(writeWaiting);
    },
  };
}

function writeAll(bytes: Buffer, onDone: () => void): void {
  write(standardOutputFd, bytes, (error, writtenBytes) => {
    if (error?.code === 'EAGAIN') setTimeout(writeAll, retryAfterMs, bytes, onDone);
    else if (error || writtenBytes === bytes.length) onDone();
    else writeAll(bytes.subarray(writtenBytes), onDone);
  });
}

export type { Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secretNames = [
  'authorization',
  'cookie',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'api_key',
  'apiKey',
  'password',
  'secret',
];
const secretPaths = secretNames.flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `headers["${name}"]`,
  `*.headers["${name}"]`,
]);

const foldEveryMs = 60_000;
const [warnLevel, fatalLevel] = [40, 60];

/**
 * Creates a logger that writes JSON lines to stdout (or `destination`) and replaces credentials with "[redacted]".
 * Repeated warnings, errors and lines with `foldsRepeats` are written once, and then once per `foldEveryMs` with
 * their count.
 */
export function createLogger(
  level: LogLevel,
  destination?: DestinationStream,
  repeatsOptions: RepeatsOptions = { everyMs: foldEveryMs },
): Logger {
  const repeats = createRepeats(repeatsOptions);
  const options: LoggerOptions = {
    level,
    serializers: { error: formatError, err: formatError },
    redact: { paths: secretPaths, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: {
      logMethod(args, method, number) {
        const [fields] = args as readonly unknown[]; // safe because the arguments are only read
        const isMarked = typeof fields === 'object' && fields !== null && foldsRepeats in fields;
        const canFold = isMarked || (number >= warnLevel && number < fatalLevel);
        if (!canFold || !repeats.isRepeat(this, args, method, number)) method.apply(this, args);
      },
    },
  };
  if (destination) return pino(options, destination);
  endAtExit(repeats.end);
  standardOutput ??= openStandardOutput();
  return pino(options, standardOutput);
}

const endings: (() => void)[] = [];

/** Registers an exit listener that runs before the listener of the output, which writes pending lines. */
function endAtExit(end: () => void): void {
  if (endings.push(end) > 1) return;
  process.once('exit', () => {
    for (const one of endings) one();
  });
}

/** Formats the error of an unreachable server as one line, since the stack adds no information. */
function formatError(error: unknown): unknown {
  const outage = findOutage(error);
  if (!outage) return error instanceof Error ? stdSerializers.err(error) : error;
  const code = 'code' in outage ? String(outage.code) : undefined;
  return { type: outage.name, message: outage.message, ...(code !== undefined && { code }) };
}
