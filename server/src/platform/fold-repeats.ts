import type { LogFn, Logger } from 'pino';

const outageCodes =
  /^(ECONN\w+|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|25006|57P0[123]|08\w{3}|53300)$/;
const outageMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired/;

/**
 * Returns the first error in a chain of causes which shows that another server, such as the database, cannot be
 * reached.
 */
export function findOutage(error: unknown): Error | undefined {
  return causesOf(error).find(
    (cause) =>
      ('code' in cause && outageCodes.test(String(cause.code))) || outageMessages.test(cause.message),
  );
}

export function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(causesOf) : [];
  return [error, ...inner, ...causesOf(error.cause)];
}

interface OpenLine {
  readonly message: string;
  repeats: number;
  requestIds: string[];
  /** Writes the folded line with the fields of the last occurrence. */
  write: (folded: object) => void;
}

export interface RepeatsOptions {
  /** Interval in milliseconds in which a repeated line is written once immediately, and once more with the count. */
  readonly everyMs: number;
}

/**
 * Maximum number of distinguished kinds, in total and per message. Beyond these limits, lines are distinguished only
 * by their message.
 */
const kindsMax = 1_000;
const kindsOfMessageMax = 200;
const requestIdsMax = 20;
/** Fields that differ between occurrences of the same event. */
const occurrenceFields = new Set([
  ...['requestId', 'attempt', 'attempts', 'chatId', 'durationMs', 'dropped', 'failuresInRow', 'intentId'],
  ...['mailId', 'resultId', 'retrySeconds'],
]);

/** Marks a line below the level `warn` that is folded as well, for example because any client can cause it. */
export const foldsRepeats = Symbol('folds repeats');

export function createRepeats({ everyMs }: RepeatsOptions) {
  const openLines = new Map<string, OpenLine>();
  const kindsOfMessage = new Map<string, number>();

  const hasRoom = (message: string) =>
    openLines.size < kindsMax && (kindsOfMessage.get(message) ?? 0) < kindsOfMessageMax;
  const endInterval = (key: string, message: string) => {
    const last = openLines.get(key);
    openLines.delete(key);
    const kinds = (kindsOfMessage.get(message) ?? 0) - 1;
    if (kinds > 0) kindsOfMessage.set(message, kinds);
    else kindsOfMessage.delete(message);
    if (!last || last.repeats === 0) return;
    const { repeats, requestIds, write } = last;
    write({ repeats, ...(requestIds.length > 0 && { requestIds }) });
  };
  return {
    /** Returns `true` if the line was counted and must not be written now. */
    isRepeat(logger: Logger, args: Parameters<LogFn>, method: LogFn, level: number): boolean {
      const { fields, message } = readArguments(args);
      // Lines with a count were already folded.
      if ('repeats' in fields) return false;
      const exact = `${level} ${message} ${formatKind(fields)}`;
      const key = hasRoom(message) || openLines.has(exact) ? exact : `${level} ${message}`;
      const last = openLines.get(key);
      if (!last) {
        openLines.set(key, { message, repeats: 0, requestIds: [], write: () => undefined });
        kindsOfMessage.set(message, (kindsOfMessage.get(message) ?? 0) + 1);
        setTimeout(endInterval, everyMs, key, message).unref();
        return false;
      }
      last.repeats++;
      if ('requestId' in fields && last.requestIds.length < requestIdsMax)
        last.requestIds.push(String(fields.requestId));
      last.write = (folded) => method.call(logger, { ...fields, ...folded }, message);
      return true;
    },
    end(): void {
      for (const [key, { message }] of [...openLines]) endInterval(key, message);
    },
  };
}

function readArguments([first, second]: readonly unknown[]): {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
} {
  if (typeof first === 'string') return { fields: {}, message: first };
  // safe because a logger takes a string or an object first
  return { fields: (first ?? {}) as Record<string, unknown>, message: String(second ?? '') };
}

/** Returns the same text for all occurrences of an event. Error messages of outages vary. */
function formatKind(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    if (occurrenceFields.has(name)) return [];
    if (value instanceof Error) return [`${name}=${kindOf(value)}`];
    return typeof value === 'object' ? [] : [`${name}=${String(value).slice(0, 100)}`];
  });
  return parts.join(' ');
}

function kindOf(error: Error): string {
  if (findOutage(error)) return 'outage';
  const code = 'code' in error ? error.code : '';
  return `${error.name} ${code} ${error.message.replaceAll(/\d+/g, '0').slice(0, 200)}`;
}
