import type { ObjectKind } from './object-kind.ts';
import { addPaymentMethod, addSubscription } from './world.ts';

export const subscribedTenant: ObjectKind = {
  name: 'subscribed tenant',
  async make(world, { tenant }) {
    const { rows } = await world.pool.query<{ id: number }>(
      'INSERT INTO tenants (name, slug) VALUES ($1, gen_random_uuid()) RETURNING id',
      [tenant.marker],
    );
    await addSubscription(world, rows[0]!.id);
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

export const paymentMethod: ObjectKind = {
  name: 'payment method',
  make: (world, { tenant }) => addPaymentMethod(world, tenant),
  missingId: () => 'pm_missing',
};
