const countFormat = new Intl.NumberFormat('en-US');
const percentFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** `12,840` */
export const formatCount = (count: number) => countFormat.format(count);

/** `1 person`, `12 people`; without a second word the plural takes an s. */
export const formatQuantity = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const formatPeople = (count: number) => formatQuantity(count, 'person', 'people');

/** Formats a limit; `null` means unlimited. */
export const formatLimit = (limit: number | null) => (limit === null ? 'Unlimited' : formatCount(limit));

/** `94.0%` of a share between 0 and 1. */
export const formatShare = (share: number) => percentFormat.format(share);

/** `+0.11`, `-0.02` */
export function formatSigned(delta: number, decimals = 2): string {
  return `${delta > 0 ? '+' : ''}${delta.toFixed(decimals)}`;
}

const thousand = 1_000;
const million = 1_000_000;
const firstThatRoundsToMillion = 999_950;

/** Tokens: `1,000` as they are, above that `12.8K`, above a million `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens <= thousand) return formatCount(tokens);
  return tokens < firstThatRoundsToMillion
    ? `${(tokens / thousand).toFixed(1)}K`
    : `${(tokens / million).toFixed(1)}M`;
}

/** A tick of a token axis: `1.0K` from a thousand on. */
export const formatTokenTick = (tokens: number): string =>
  tokens === thousand ? '1.0K' : formatTokens(tokens);

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 B`, `1.5 KiB`, `42 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
