export interface Seen {
  frames: number;
  /** Maximum number of rows rendered at the same time, including details and spacers. */
  mostRows: number;
  /** Number of frames without a row in the middle of the window. */
  emptyFrames: number;
  /** Rows at a wrong position or with a wrong text. */
  wrongRows: string[];
}

const stepPx = 180;

/** Scrolls down in every frame for `durationMs` and inspects the rendered rows. */
export async function scrollThrough(durationMs: number): Promise<Seen> {
  const seen: Seen = { frames: 0, mostRows: 0, emptyFrames: 0, wrongRows: [] };
  const begin = performance.now();
  while (performance.now() - begin < durationMs) {
    window.scrollBy(0, stepPx);
    await new Promise(requestAnimationFrame);
    const rows = [...document.querySelectorAll<HTMLTableRowElement>('tr[data-row]')];
    seen.frames += 1;
    seen.mostRows = Math.max(seen.mostRows, document.querySelectorAll('tbody tr').length);
    if (!rows.some(isInTheMiddle)) seen.emptyFrames += 1;
    seen.wrongRows.push(...rows.filter((row) => !isRight(row)).map((row) => row.textContent));
  }
  return seen;
}

function isInTheMiddle(row: Element): boolean {
  const { top } = row.getBoundingClientRect();
  return top > window.innerHeight * 0.4 && top < window.innerHeight * 0.6;
}

function isRight(row: HTMLTableRowElement): boolean {
  const id = row.dataset.row;
  return Number(row.ariaRowIndex) === Number(id) + 1 && row.textContent.includes(`Lock ${id}`);
}
