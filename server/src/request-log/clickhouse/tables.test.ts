import { expect, it } from 'vitest';
import { type ChdbOptions, describeWithClickhouse, startChdb } from '#test/clickhouse/start-chdb.ts';
import { prepareClickhouse } from './clickhouse-request-log.ts';
import { connect } from './connection.ts';

describeWithClickhouse('tables of the request log', () => {
  it.each<ChdbOptions>([{}, { cluster: 'eu-1' }])(
    'createTables adds columns that are missing in existing tables: %o',
    async (options) => {
      const engine = await startChdb(options);
      await prepareClickhouse(engine.url);
      const connection = connect(engine.url);
      const listColumns = () =>
        connection.read(
          "SELECT table, name, type FROM system.columns WHERE table LIKE 'request_logs%' ORDER BY ALL",
        );
      const columns = await listColumns();
      for (const table of new Set([connection.tables.stored, 'request_logs']))
        for (const column of ['body_object', 'is_cut', 'price'])
          await connection.run(
            `ALTER TABLE ${table}${connection.tables.onCluster} DROP COLUMN ${column} SETTINGS mutations_sync = 2`,
          );
      expect(await listColumns()).not.toEqual(columns);
      await prepareClickhouse(engine.url);
      expect(await listColumns()).toEqual(columns);
      await connection.close();
      await engine.close();
    },
  );
});
