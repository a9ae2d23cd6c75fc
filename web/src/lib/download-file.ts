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
