import { type ChartTable, type LinkOf, plainName } from './chart-data.ts';
import styles from './table-view.module.css';

interface TableViewProps {
  label: string;
  table: ChartTable;
  /** Makes the name of a row lead to what is behind it. */
  linkOf?: LinkOf;
}

/** A chart's data as a table, for those who read rather than look. */
export function TableView({ label, table, linkOf = plainName }: TableViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={styles.box} tabIndex={0} aria-label={label}>
      <table className={`num ${styles.table}`}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([name = '', ...cells], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same name
            <tr key={row}>
              <th scope="row">{linkOf(row, name)}</th>
              {cells.map((cell, place) => (
                <td key={table.columns[place + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
