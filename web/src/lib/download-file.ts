const revokeAfterMs = 60_000;

/** Hands content that the page holds to the browser as a file; some read it only a while after the click. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}

/** `sluice-logs-2026-11-22.csv`, as the server names what it has written. */
export const readFileName = (headers: Headers): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];

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
