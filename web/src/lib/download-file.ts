import { ownDay } from './format-day.ts';

const revokeAfterMs = 60_000;

/** The object URL is revoked with a delay, because some browsers read it late. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}

export const readFileName = (headers: Headers): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];

const byteOrderMark = '\u{feff}';

/** Returns a file name such as `sluice-teams-2026-11-20.csv`. The day is in the user's time zone. */
export const nameCsvFile = (noun: string, now: Date): string => `sluice-${noun}-${ownDay(now.getTime())}.csv`;

/** Adds a byte order mark, because Excel does not detect UTF-8 otherwise. */
export function downloadCsv(fileName: string, text: string): void {
  downloadFile(fileName, new Blob([byteOrderMark, text], { type: 'text/csv;charset=utf-8' }));
}
