import { priceJson } from '@sluice/contract';
import { z } from 'zod';
import type { Price } from '#domain/price/price.ts';
import { readPrice } from '#domain/price/price-json.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    instanceId: column('t.llm_provider_id', z.number().nullable()),
    providerKey: column('t.provider_key', z.string().nullable()),
    model: column('t.model', z.string()),
    price: column('t.price', priceJson),
  },
  'price_overrides t WHERE true',
);

/** A price that overrides the catalog's. */
interface PriceOverrideEntry {
  readonly id: number;
  /** Instance id or provider key. */
  readonly owner: number | string;
  readonly model: string;
  readonly price: Price;
}

/** Indexed by owner. */
export const priceOverrides: MirroredTable<
  PriceOverrideEntry,
  IndexedCollection<number, PriceOverrideEntry>
> = {
  name: 'price_overrides',
  id: integerId,
  select,
  toEntry(row) {
    const { id, instanceId, providerKey, model, price } = parse(row);
    return { id, owner: instanceId ?? providerKey ?? '', model, price: readPrice(price) };
  },
  createRows: () => createIndexedCollection(({ owner }) => owner),
};
