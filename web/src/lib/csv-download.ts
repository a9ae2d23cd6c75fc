import { downloadFile } from './download-file.ts';

const byteOrderMark = '\u{feff}';

/** `sluice-teams-2026-11-20.csv`, by the calendar of the person who exports. */
export function nameCsvFile(noun: string, now: Date): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return `sluice-${noun}-${now.getFullYear()}-${month}-${day}.csv`;
}

/** Hands a CSV text to the browser as a file; marked as UTF-8, which Excel would not guess. */
export function downloadCsv(fileName: string, text: string): void {
  downloadFile(fileName, new Blob([byteOrderMark, text], { type: 'text/csv;charset=utf-8' }));
}
