import { lazy } from 'react';
import { loadPart } from '../../lib/load-part.ts';

/** Its list is as large as a page, so that only those who come to it load it; within a `Suspense`. */
export const TimeZoneField = lazy(
  loadPart(async () => ({ default: (await import('./time-zone-field.tsx')).TimeZoneField })),
);
