const countFormat = new Intl.NumberFormat('en-US');
const percentFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Formats a count with separators, for example `12,840`. */
export const formatCount = (count: number) => countFormat.format(count);

/** Formats a count with its unit, for example `1 user` or `12 users`. The default plural adds an s. */
export const formatQuantity = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Formats a limit. `null` means unlimited. */
export const formatLimit = (limit: number | null) => (limit === null ? 'Unlimited' : formatCount(limit));

/** Formats the used part of a limit: `1,200 of 10,000 tokens`, or `1,200 tokens, unlimited` if there is no limit. */
export function formatUse(used: number, limit: number | null, unit = ''): string {
  const suffix = unit === '' ? '' : ` ${unit}`;
  return limit === null
    ? `${formatCount(used)}${suffix}, unlimited`
    : `${formatCount(used)} of ${formatCount(limit)}${suffix}`;
}

const wholePercentFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 });

/** Formats a share between 0 and 1 as a percentage: `94.0%`, or `94%` if `decimals` is 0. */
export const formatShare = (share: number, decimals: 0 | 1 = 1): string =>
  (decimals === 0 ? wholePercentFormat : percentFormat).format(share);

const settingFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });

/** Formats a percentage, such as a markup, without trailing zeros: `20%`, `12.5%`. */
export const formatPercentage = (percentage: number): string => settingFormat.format(percentage / 100);

/** Formats a part of a total as a percentage. Returns a dash if the total is 0. */
export const formatPart = (part: number, whole: number): string =>
  whole === 0 ? '–' : formatShare(part / whole);

/** Formats a deviation score from 0 to 1: `0.42`. */
export const formatScore = (score: number, decimals = 2): string => score.toFixed(decimals);

/** Formats a score change with its sign: `+0.11`, `-0.02`. */
export const formatSigned = (delta: number, decimals = 2): string =>
  `${delta > 0 ? '+' : ''}${formatScore(delta, decimals)}`;

/** Removes the rounding error of binary fractions, so that 0.1 + 0.2 is 0.3. */
export const roundFraction = (value: number): number => Number(value.toFixed(9));

const thousand = 1_000;
const million = 1_000_000;
const firstThatRoundsToMillion = 999_950;

/** Formats a number of tokens compactly: `1,000`, `12.8K`, `800K`, `1.2M`. */
export const formatTokens = (tokens: number): string => compactTokens(tokens).replace('.0', '');

function compactTokens(tokens: number): string {
  if (tokens <= thousand) return formatCount(tokens);
  return tokens < firstThatRoundsToMillion
    ? `${(tokens / thousand).toFixed(1)}K`
    : `${(tokens / million).toFixed(1)}M`;
}

/** Formats a tick of a token axis. Values from 1,000 have one decimal: `1.0K`. */
export const formatTokenTick = (tokens: number): string =>
  tokens === thousand ? '1.0K' : compactTokens(tokens);

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size in bytes, for example `512 B`, `1.5 KiB` or `42 MiB`. */
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
