import { Button } from '@mantine/core';
import { ImageDown, Table2 } from 'lucide-react';
import { type CSSProperties, type ReactNode, useId, useRef, useState } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { type ChartTable, type LinkOf, plainName } from './chart-data.ts';
import styles from './chart-panel.module.css';
import { ChartSkeleton } from './lazy-charts.tsx';
import { useIsNear } from './near-view.tsx';
import { saveAsPng } from './save-as-png.ts';
import tableViewStyles from './table-view.module.css';

interface ChartPanelProps {
  heading: string;
  /** Unit or total, for example `tokens` or `$1,482.63 in 30 days`. */
  unit?: string;
  switches?: ReactNode;
  /** If the table has no rows, the empty text is shown. */
  table: ChartTable;
  emptyText: string;
  /** Shown below the empty text. */
  emptyAction?: ReactNode;
  isLoading?: boolean;
  linkOf?: LinkOf;
  /** Content below the chart, such as a link to all rows. */
  footer?: ReactNode;
  /** In pixels. */
  height?: number;
  children: ReactNode;
}

export function ChartPanel(props: ChartPanelProps) {
  const { heading, unit, switches, table, emptyText, emptyAction, isLoading = false, linkOf, footer } = props;
  const { height = 300, children } = props;
  const isNear = useIsNear();
  const [isTable, setTable] = useState(false);
  const headingId = useId();
  const body = useRef<HTMLDivElement>(null);
  const isEmpty = table.rows.length === 0;
  // safe because React passes custom properties through unchanged
  const bodyStyle = { '--chart-height': `${height}px` } as CSSProperties;

  return (
    <section className={styles.panel} aria-labelledby={headingId} aria-busy={isLoading && isNear}>
      <div className={styles.head}>
        <h2 id={headingId}>{heading}</h2>
        {unit !== undefined && <span className={`num ${styles.unit}`}>{unit}</span>}
        <div className={styles.switches}>{!isTable && switches}</div>
        <div className={styles.tools}>
          {!isLoading && !isEmpty && (
            <PanelTools
              heading={heading}
              isTable={isTable}
              onToggle={() => setTable(!isTable)}
              onSave={() => body.current && void saveAsPng(heading, body.current)}
            />
          )}
        </div>
      </div>
      <div ref={body} className={styles.body} style={bodyStyle}>
        {isLoading ? (
          isNear && <ChartSkeleton />
        ) : isEmpty ? (
          <EmptyState title={emptyText} action={emptyAction} />
        ) : isTable ? (
          <TableView label={heading} table={table} {...(linkOf && { linkOf })} />
        ) : (
          children
        )}
      </div>
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </section>
  );
}

interface PanelToolsProps {
  heading: string;
  isTable: boolean;
  onToggle: () => void;
  onSave: () => void;
}

function PanelTools({ heading, isTable, onToggle, onSave }: PanelToolsProps) {
  return (
    <>
      <Button
        variant={isTable ? 'light' : 'subtle'}
        className={styles.tool}
        aria-label={`Show ${heading} as a table`}
        aria-pressed={isTable}
        title="Table"
        onClick={onToggle}
      >
        <Table2 size={16} strokeWidth={1.5} aria-hidden />
      </Button>
      <Button
        variant="subtle"
        className={styles.tool}
        aria-label={`Download ${heading} as PNG`}
        title="Download PNG"
        disabled={isTable}
        onClick={onSave}
      >
        <ImageDown size={16} strokeWidth={1.5} aria-hidden />
      </Button>
    </>
  );
}

interface TableViewProps {
  label: string;
  table: ChartTable;
  linkOf?: LinkOf;
}

function TableView({ label, table, linkOf = plainName }: TableViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={tableViewStyles.box} tabIndex={0} aria-label={label}>
      <table className={`num ${tableViewStyles.table}`}>
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
