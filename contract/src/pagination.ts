import { z } from 'zod';

export const pageLimitMax = 200;

/** Query fields of an offset-paged list; the total travels in the header `X-Total-Count`. */
export const pageQuery = (limitDefault: number) => ({
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(pageLimitMax).default(limitDefault),
});
