import { z } from 'zod';

/** Boolean in a query string. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
