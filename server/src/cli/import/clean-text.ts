import { apiKeyName, isPlainLine, type Labels, labelSet, labelsMax } from '@sluice/contract';

const nameMax = 100;

/** Returns `otherwise` if the result is empty. */
export function cleanName(text: string | null, otherwise: string, max = nameMax): string {
  const name = (text ?? '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .trim()
    .toWellFormed();
  return name !== '' && isPlainLine(name) && apiKeyName.safeParse(name).success ? name : otherwise;
}

/** Returns the strings, numbers and booleans of a metadata object as labels. All other values are omitted. */
export function toLabels(metadata: Readonly<Record<string, unknown>>): { labels: Labels; left: string[] } {
  const labels: Record<string, string> = {};
  const left: string[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    const name = key
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.-]+/g, '_')
      .replace(/^[^a-z]+/, '')
      .slice(0, 63);
    const isSimple = ['string', 'number', 'boolean'].includes(typeof value);
    const isValid = isSimple && labelSet.safeParse({ [name]: String(value) }).success;
    if (isValid && Object.keys(labels).length < labelsMax) labels[name] = String(value);
    else if (value !== null && !(typeof value === 'object' && Object.keys(value).length === 0))
      left.push(key);
  }
  return { labels, left };
}
