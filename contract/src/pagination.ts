import { z } from 'zod';

export const pageLimitMax = 200;

const skip = z.coerce.number().int().min(0).max(1_000_000).default(0);
const limit = (limitDefault: number) =>
  z.coerce.number().int().min(1).max(pageLimitMax).default(limitDefault);

/** Query fields of an offset-paged list; the total travels in the header `X-Total-Count`. */
export const pageQuery = (limitDefault: number) => ({ skip, limit: limit(limitDefault) });

/** The same of the lists that call what they leave out `offset`. */
export const offsetQuery = (limitDefault: number) => ({ offset: skip, limit: limit(limitDefault) });
