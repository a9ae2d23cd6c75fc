import type { Download, SignedInContext } from '#http/console-route.ts';
import { claimExport } from './claim-export.ts';
import { readTimeZone } from './read-time-zone.ts';

export interface NewFile {
  /** As the file's name and the audit log call it: `logs`. */
  readonly noun: string;
  readonly extension: string;
  readonly mediaType: string;
  /** What was chosen; what is absent is left out. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/**
 * A file that is written as the caller takes it. Its first piece is written before the answer begins, so that what is
 * wrong gets a status. Each tenant has one at a time; whoever writes notes it in the audit log.
 * @throws ConsoleError 429
 */
export async function startDownload(
  ctx: SignedInContext,
  file: NewFile,
  write: () => AsyncGenerator<string>,
): Promise<Download> {
  const release = await claimExport(ctx);
  const timeZone = await readTimeZone(ctx).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const text = releaseAfter(write(), release);
  // Begun, so that its end is heard of also when nothing more is taken from it.
  const first = await text.next();
  return {
    fileName: nameFile(file, timeZone, new Date()),
    mediaType: file.mediaType,
    text: continueText(first, text),
  };
}

async function* releaseAfter(
  text: AsyncGenerator<string>,
  release: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    yield* text;
  } finally {
    await release();
  }
}

/** Unlike a generator's, its `return` reaches the rest also before anything was taken. */
function continueText(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let next: IteratorResult<string> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const result = next ?? (await rest.next());
        next = undefined;
        return result;
      },
      return: (value) => rest.return(value),
    }),
  };
}

export function givenOf(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/**
 * `sluice-logs-2026-11-22.csv`; with filters `sluice-logs-2026-11-22-Europe-Berlin-status-error.csv`, since the zone says
 * which days they mean. The day is the zone's.
 */
function nameFile({ noun, extension, filters }: NewFile, timeZone: string, now: Date): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const chosen = Object.entries(givenOf(filters)).map(([name, value]) => `-${name}-${value}`);
  const zone = chosen.length > 0 ? [`-${timeZone}`] : [];
  const name = [`sluice-${noun}-${day}`, ...zone, ...chosen].join('');
  return `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, nameMax)}.${extension}`;
}

const nameMax = 150;
