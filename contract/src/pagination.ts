import { z } from 'zod';
import { decimalNumber } from './decimal-number.ts';
import { id } from './ids.ts';

export const pageLimitMax = 200;

/** Query field: number of rows to skip. */
export const pageSkip = decimalNumber(z.int().min(0).max(1_000_000));

/** Query field: maximum number of rows to return. */
export const pageLimit = decimalNumber(z.int().min(1).max(pageLimitMax));

/**
 * Query field of lists that are sorted newest first: the id of a row. Only older rows are returned and counted, so that
 * pages neither repeat nor skip rows while new ones arrive.
 */
export const pageBefore = id.optional();

/** Returns the query fields of an offset-paged list; the total is in the header `X-Total-Count`. */
export const pageQuery = (limitDefault: number) => ({
  skip: pageSkip.default(0),
  limit: pageLimit.default(limitDefault),
});

/** Same as `pageQuery`, for lists that name the number of skipped rows `offset`. */
export const offsetQuery = (limitDefault: number) => ({
  offset: pageSkip.default(0),
  limit: pageLimit.default(limitDefault),
});
