import { downloadFile } from '../../lib/download-file.ts';

const scale = 2;
const margin = 16;
const headingHeight = 28;
const legendHeight = 24;
const carriedStyles = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-weight',
  'text-anchor',
];

/** Downloads the chart in `body` as it looks, with its heading and its legend. */
export async function saveAsPng(heading: string, body: HTMLElement): Promise<void> {
  const chart = body.querySelector<SVGSVGElement>('svg.recharts-surface');
  if (chart === null) return;
  const legend = [...body.querySelectorAll<SVGSVGElement>('svg[data-legend]')].map(readLegend);
  const { width, height } = chart.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return;

  canvas.width = (width + 2 * margin) * scale;
  canvas.height = (height + 2 * margin + headingHeight + legend.length * legendHeight) * scale;
  context.scale(scale, scale);
  drawWords(context, body, heading, legend, margin + headingHeight + height);
  context.drawImage(await loadPicture(chart), margin, margin + headingHeight, width, height);
  canvas.toBlob((png) => png && downloadFile(`${heading.toLowerCase().replace(/\W+/g, '-')}.png`, png));
}

interface LegendEntry {
  text: string;
  color: string;
}

function readLegend(swatch: SVGSVGElement): LegendEntry {
  const parts = [...(swatch.parentElement?.childNodes ?? [])].map((node) => node.textContent?.trim());
  return { text: parts.filter(Boolean).join('  '), color: getComputedStyle(swatch).color };
}

function drawWords(
  context: CanvasRenderingContext2D,
  body: HTMLElement,
  heading: string,
  legend: readonly LegendEntry[],
  legendTop: number,
): void {
  const { color, fontFamily } = getComputedStyle(body);
  context.fillStyle = getComputedStyle(body.closest('section') ?? body).backgroundColor;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.textBaseline = 'middle';
  context.font = `600 14px ${fontFamily}`;
  context.fillStyle = color;
  context.fillText(heading, margin, margin + 8);
  context.font = `13px ${fontFamily}`;
  legend.forEach((entry, place) => {
    const middle = legendTop + legendHeight * (place + 0.5);
    context.fillStyle = entry.color;
    context.fillRect(margin, middle - 5, 10, 10);
    context.fillStyle = color;
    context.fillText(entry.text, margin + 18, middle);
  });
}

/** The drawing alone, with the looks that the page's style sheets gave it. */
async function loadPicture(chart: SVGSVGElement): Promise<HTMLImageElement> {
  // safe because a clone is of its original's class
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll<SVGElement>('*');
  chart.querySelectorAll<SVGElement>('*').forEach((original, place) => {
    const style = getComputedStyle(original);
    for (const name of carriedStyles) copies[place]?.style.setProperty(name, style.getPropertyValue(name));
    copies[place]?.removeAttribute('class');
  });
  const { width, height } = chart.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.style.fontFamily = 'sans-serif';

  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await picture.decode();
  return picture;
}
