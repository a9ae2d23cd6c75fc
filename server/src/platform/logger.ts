import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { openStandardOutput } from './standard-output.ts';

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

/** JSON lines to stdout (or `destination`), with fields that carry credentials replaced by "[redacted]". */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { error: stdSerializers.err },
    redact: { paths: secretPaths, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? openStandardOutput());
}
