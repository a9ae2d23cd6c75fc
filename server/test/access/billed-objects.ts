import { randomUUIDv7 } from 'node:crypto';
import type { ObjectKind } from './object-kind.ts';
import { addSubscription } from './world.ts';

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
  async make(world, { tenant }) {
    const id = `pm_${randomUUIDv7()}`;
    await world.pool.query(
      `INSERT INTO simulated_payment_methods (id, customer_id, card_number, is_authenticated)
       VALUES ($1, $2, '4242424242424242', false)`,
      [id, await addSubscription(world, tenant.id)],
    );
    return id;
  },
  missingId: () => 'pm_missing',
};
