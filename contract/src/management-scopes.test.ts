import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  contract,
  describeOpenapi,
  managementScopes,
  pathOf,
  permissionsOfRole,
  type RouteRow,
  roleNames,
  scopeOf,
  scopesOfRole,
} from './index.ts';

const rows = Object.values(contract).flatMap((routes) => Object.entries<RouteRow>(routes));

describe('scopes of management tokens', () => {
  it('managementScopes lists exactly the scopes that routes require', () => {
    const required = new Set(rows.map(([, row]) => scopeOf(row)).filter((scope) => scope !== null));
    expect([...required].toSorted()).toEqual([...managementScopes].toSorted());
  });

  it('every management route without a scope is public, concerns only the calling user, or explicitly rejects tokens', () => {
    const without = rows.filter(([, row]) => scopeOf(row) === null && row.surface === 'management');
    const unexplained = without.filter(
      ([, { permission, inOwnTenant, refusesTokens }]) =>
        permission !== 'anyone' && !inOwnTenant && !refusesTokens,
    );
    expect(unexplained.map(([name]) => name)).toEqual([]);
  });

  it('scopeOf returns a read scope only for GET routes and the four POST routes that only read', () => {
    const reading = rows.filter(([, row]) => scopeOf(row)?.endsWith(':read') && row.method !== 'GET');
    const thatOnlyRead = ['checkBlacklist', 'previewGovernance', 'replayBudget', 'replayPolicy'];
    expect(reading.map(([name]) => name).toSorted()).toEqual(thatOnlyRead);
  });

  it.each(roleNames)('scopesOfRole returns the scopes of the routes that the role %s may use', (role) => {
    const permissions: readonly string[] = permissionsOfRole(role);
    const usable = rows.filter(([, { permission }]) => permissions.includes(permission));
    const scopes = new Set(usable.map(([, row]) => scopeOf(row)));
    expect(scopesOfRole(role)).toEqual(managementScopes.filter((scope) => scopes.has(scope)));
  });

  it('the OpenAPI document declares the scope of every route', () => {
    const { paths } = z
      .object({
        paths: z.record(
          z.string(),
          z.record(
            z.string(),
            z.looseObject({ security: z.array(z.record(z.string(), z.array(z.string()))) }),
          ),
        ),
      })
      .parse(describeOpenapi(contract, '1'));
    for (const [name, row] of rows) {
      const security = paths[pathOf(row)]?.[row.method.toLowerCase()]?.security ?? [];
      const scopes = security.flatMap(({ managementToken = [] }) => managementToken);
      const scope = scopeOf(row);
      expect([name, scopes]).toEqual([name, scope === null ? [] : [scope]]);
    }
  });
});
