import { Document } from 'yaml';
import type { Actor } from '#db/actor.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { readKind } from './change-tenant.ts';
import { allKinds, kindsWithin } from './kinds/all-kinds.ts';
import type { ApplyDeps, Kind, KindName, Spec, Stored } from './kinds/kind.ts';
import { omit } from './kinds/kind.ts';
import { enterTenant, leaveTenant, selectSlugs } from './managed-store.ts';

type Objects = ReadonlyMap<KindName, readonly Stored[]>;

/** Replaces secrets by the reference `stored`. */
export async function exportConfiguration(
  deps: Pick<ApplyDeps, 'keyring'>,
  system: SystemDatabase,
  { actor, slug }: { readonly actor: Actor; readonly slug: string | undefined },
): Promise<{ readonly tenants: readonly Spec[] }> {
  return changeAs(system, actor, async (tx) => {
    const tenants: Spec[] = [];
    for (const tenant of await selectSlugs(tx, slug)) {
      await enterTenant(tx, tenant.id);
      const objects = new Map<KindName, readonly Stored[]>();
      for (const { name } of allKinds) {
        const stored = await readKind(name, { tx, tenantId: tenant.id, deps });
        objects.set(
          name,
          [...stored.values()].filter(({ isHidden }) => isHidden !== true),
        );
      }
      await leaveTenant(tx);
      tenants.push(describeTenant(objects));
    }
    return { tenants };
  });
}

function describeTenant(objects: Objects): Spec {
  const entries = allKinds
    .filter(({ name, within }) => name !== 'tenant' && !within)
    .map((kind) => [kind.collection, describeCollection(kind, objects, {})] as const);
  const [tenant] = objects.get('tenant') ?? [];
  return { ...tenant?.spec, ...Object.fromEntries(entries.filter(([, value]) => !isEmpty(value))) };
}

function describeCollection(kind: Kind, objects: Objects, parent: Spec): unknown {
  const found = (objects.get(kind.name) ?? []).filter(({ spec }) =>
    Object.entries(parent).every(([name, value]) => spec[name] === value),
  );
  if (kind.isSingle) return kind.list ? found[0]?.spec[kind.list.field] : found[0]?.spec;
  return found.map(({ spec }) => {
    const nested = kindsWithin(kind.name).map((inner) => {
      const names = { [inner.within?.field ?? '']: kind.titleOf(spec) };
      return [inner.collection, describeCollection(inner, objects, names)] as const;
    });
    return {
      ...omit(spec, Object.keys(parent)),
      ...Object.fromEntries(nested.filter(([, value]) => !isEmpty(value))),
    };
  });
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

export function toYaml(configuration: object): string {
  return new Document(configuration, { aliasDuplicateObjects: false }).toString({
    blockQuote: false,
    lineWidth: 0,
  });
}
