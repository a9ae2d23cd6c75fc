import { downloadFile } from '#lib/download-file.ts';

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

/** Downloads the chart in `body` as a PNG image with its heading and legend. */
export async function saveAsPng(heading: string, body: HTMLElement): Promise<void> {
  const chart = body.querySelector<SVGSVGElement>('svg.recharts-surface');
  const context = document.createElement('canvas').getContext('2d');
  if (chart === null || context === null) return;
  const swatches = [...body.querySelectorAll<SVGSVGElement>('svg[data-legend]')];
  const pieces: Pieces = {
    heading,
    chart: await loadPicture(chart),
    legend: await Promise.all(swatches.map(loadEntry)),
    style: getComputedStyle(body.closest('section') ?? body),
  };
  draw(context, pieces);
  context.canvas.toBlob(
    (png) => png && downloadFile(`${heading.toLowerCase().replace(/\W+/g, '-')}.png`, png),
  );
}

interface LegendEntry {
  swatch: HTMLImageElement;
  text: string;
}

interface Pieces {
  heading: string;
  chart: HTMLImageElement;
  legend: readonly LegendEntry[];
  style: CSSStyleDeclaration;
}

async function loadEntry(swatch: SVGSVGElement): Promise<LegendEntry> {
  const words = [...(swatch.parentElement?.childNodes ?? [])].map((node) => node.textContent?.trim());
  return { swatch: await loadPicture(swatch), text: words.filter(Boolean).join('  ') };
}

function draw(context: CanvasRenderingContext2D, { heading, chart, legend, style }: Pieces): void {
  const headingFont = `600 14px ${style.fontFamily}`;
  const textFont = `13px ${style.fontFamily}`;
  context.font = headingFont;
  const width = Math.max(chart.width, context.measureText(heading).width) + 2 * margin;
  const height = chart.height + 2 * margin + headingHeight + legend.length * legendHeight;
  context.canvas.width = width * scale;
  context.canvas.height = height * scale;

  context.scale(scale, scale);
  context.textBaseline = 'middle';
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height);
  context.fillStyle = style.color;
  context.font = headingFont;
  context.fillText(heading, margin, margin + 8);
  context.drawImage(chart, margin, margin + headingHeight);
  context.font = textFont;
  legend.forEach(({ swatch, text }, place) => {
    const middle = margin + headingHeight + chart.height + legendHeight * (place + 0.5);
    context.drawImage(swatch, margin, middle - swatch.height / 2);
    context.fillText(text, margin + swatch.width + 8, middle);
  });
}

/** Inlines the page's styles, because style sheets do not apply inside an image. */
async function loadPicture(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  // safe because a clone has the class of its original
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll<SVGElement>('*');
  drawing.querySelectorAll<SVGElement>('*').forEach((original, place) => {
    const style = getComputedStyle(original);
    for (const name of carriedStyles) copies[place]?.style.setProperty(name, style.getPropertyValue(name));
    copies[place]?.removeAttribute('class');
  });
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.style.fontFamily = 'sans-serif';

  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await picture.decode();
  return picture;
}
