import type { Download, SignedInContext } from '#http/console-route.ts';
import { claimExport } from './claim-export.ts';
import { readTimeZone } from './read-time-zone.ts';

export interface NewFile {
  /** Name in the file name and the audit log, for example `logs`. */
  readonly noun: string;
  readonly extension: string;
  readonly mediaType: string;
}

/**
 * Streams a file, audited by its writer. The first piece is written before the response begins, so that errors get a
 * status. Each tenant has one at a time.
 * @throws ConsoleError 429 while another one runs.
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
  // Started, so that its `finally` runs even if nothing more is read.
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

/** Unlike a generator's, its `return` reaches `rest` even before the first read. */
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

/** Builds the file name, such as `sluice-logs-2026-11-22.csv`, with the day in the tenant's time zone. */
function nameFile({ noun, extension }: NewFile, timeZone: string, now: Date): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  return `sluice-${noun}-${day}.${extension}`;
}
