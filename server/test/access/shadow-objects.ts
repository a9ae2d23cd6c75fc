import { addShadowRun } from '../database/shadow-run.ts';
import type { ObjectKind } from './object-kind.ts';

const shadowRun: ObjectKind = {
  name: 'shadow run',
  make: async ({ pool }, { tenant }) =>
    String(
      await addShadowRun(pool, { tenantId: tenant.id, name: tenant.marker }, [
        { model_requested: tenant.marker, error_code: 'model_not_found', message: tenant.marker },
      ]),
    ),
  missingId: () => '2147483647',
};

export const kindsOfShadow: Readonly<Record<string, ObjectKind>> = { '/admin/shadow-runs/{id}': shadowRun };
