const countFormat = new Intl.NumberFormat('en-US');
const percentFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** `12,840` */
export const formatCount = (count: number) => countFormat.format(count);

/** A limit, where `null` means that there is none. */
export const formatLimit = (limit: number | null) => (limit === null ? 'Unlimited' : formatCount(limit));

/** `94.0%` of a share between 0 and 1. */
export const formatShare = (share: number) => percentFormat.format(share);
