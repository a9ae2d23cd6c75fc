const dollars = (options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...options });

const decimals = (minimumFractionDigits: number, maximumFractionDigits = minimumFractionDigits) =>
  dollars({ minimumFractionDigits, maximumFractionDigits });

const centFormat = decimals(2);
const smallFormat = decimals(2, 6);
const fixedFormats = { 2: centFormat, 4: decimals(4), 6: decimals(6) };
const oneCent = 0.01;
const smallest = 0.000001;

/** Formats an amount of money: `$1,234.56`, and up to six decimals below one cent, `$0.0042`. */
export function formatUsd(amount: number): string {
  const size = Math.abs(amount);
  if (size >= oneCent || size === 0) return centFormat.format(amount);
  return size < smallest / 2 ? `<${smallFormat.format(smallest)}` : smallFormat.format(amount);
}

const tickFormat = decimals(2, 4);

/** Formats an amount on an axis, where rounding to cents would repeat or displace ticks: `$0.015`. */
export const formatUsdTick = (amount: number): string => tickFormat.format(amount);

/** Formats an amount with a fixed number of decimals: 4 for balances and chart values, 6 for comparisons. */
export const formatUsdExact = (amount: number, digits: 2 | 4 | 6): string =>
  fixedFormats[digits].format(amount);

/** Formats the lifetime spending of a tenant: six decimals below one cent, else two. */
export const formatLifetimeSpent = (amount: number): string =>
  formatUsdExact(amount, Math.abs(amount) < oneCent ? 6 : 2);

/** Formats an amount with its sign: `+$5.00`, `-$0.0042`. */
export const formatSignedUsd = (amount: number): string =>
  `${amount < 0 ? '-' : '+'}${formatUsd(Math.abs(amount))}`;

const smallRateFormat = dollars({ maximumSignificantDigits: 4 });

/** Formats the price of a number of tokens: `$2.50`, `$0.075`, and four significant digits below one cent, `$0.00015`. */
export const formatRate = (amount: number): string =>
  (amount === 0 || amount >= oneCent ? tickFormat : smallRateFormat).format(amount);

const priceFormat = dollars({ maximumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' });

/** Formats the price of a plan, without cents if there are none: `$29`, `$9.50`. */
export const formatPlanPrice = (amount: number): string => priceFormat.format(amount);
