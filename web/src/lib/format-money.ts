const dollars = (minimumFractionDigits: number, maximumFractionDigits: number) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits,
    maximumFractionDigits,
  });

const usualFormat = dollars(2, 4);
const fixedFormats = { 2: dollars(2, 2), 4: dollars(4, 4), 6: dollars(6, 6) };
const sixDecimalsBelow = 0.01;

/** `$12.40`, `$0.0042`: two to four decimals. */
export const formatUsd = (amount: number): string => usualFormat.format(amount);

/** Exactly so many decimals: 4 for balances and spending, 6 for what one request cost. */
export const formatUsdExact = (amount: number, decimals: 2 | 4 | 6): string =>
  fixedFormats[decimals].format(amount);

/** Spent in a lifetime: six decimals while it is below a cent, else two. */
export const formatLifetimeSpent = (amount: number): string =>
  formatUsdExact(amount, Math.abs(amount) < sixDecimalsBelow ? 6 : 2);

/** An amount that comes or goes: `+$5.00`, `-$0.0042`. */
export const formatSignedUsd = (amount: number): string =>
  `${amount < 0 ? '-' : '+'}${formatUsd(Math.abs(amount))}`;

const rateFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 4,
});

/** The price of some tokens, however small: `$0.00015`. */
export const formatRate = (amount: number): string => rateFormat.format(amount);
