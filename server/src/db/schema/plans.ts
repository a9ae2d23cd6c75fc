import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** Prices are in nano-dollars. */
export const plans = pgTable('plans', {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  priceMonthly: bigint('price_monthly', { mode: 'bigint' }).notNull(),
  priceYearly: bigint('price_yearly', { mode: 'bigint' }).notNull(),
  userLimit: integer('user_limit').notNull(),
  adminLimit: integer('admin_limit').notNull(),
  position: integer().notNull(),
});
