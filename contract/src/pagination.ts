import { z } from 'zod';
import { decimalNumber } from './decimal-number.ts';

export const pageLimitMax = 200;

/** Query field: how many rows of a list are skipped. */
export const pageSkip = decimalNumber(z.int().min(0).max(1_000_000));

/** Query field: how many rows of a list are returned at most. */
export const pageLimit = decimalNumber(z.int().min(1).max(pageLimitMax));

/** Query fields of an offset-paged list; the total travels in the header `X-Total-Count`. */
export const pageQuery = (limitDefault: number) => ({
  skip: pageSkip.default(0),
  limit: pageLimit.default(limitDefault),
});

/** The same of the lists that call what they leave out `offset`. */
export const offsetQuery = (limitDefault: number) => ({
  offset: pageSkip.default(0),
  limit: pageLimit.default(limitDefault),
});
