import styles from './lanes.module.css';

const laneCount = 104;
const spacing = 28;
const height = 2000;
const period = 26;
const openLanes = new Set([3, 4, 9, 10, 11, 16, 20, 21]);

interface LanesProps {
  /** How far down the highest gate stands, in pixels. */
  gatesFrom: number;
}

/** The sluice itself: some lanes run, some are shut by a gate. */
export function Lanes({ gatesFrom }: LanesProps) {
  return (
    <svg className={styles.lanes} width={laneCount * spacing} height={height} aria-hidden="true">
      {Array.from({ length: laneCount }, (_, index) => {
        const x = spacing / 2 + index * spacing;
        const gateY = gatesFrom + ((index * 73) % 170);
        return openLanes.has(index % period) ? (
          <path key={x} className={styles.open} d={`M${x} 0V${height}`} />
        ) : (
          <g key={x}>
            <path className={styles.shut} d={`M${x} 0V${gateY}`} />
            <path className={styles.gate} d={`M${x - 7} ${gateY}h14`} />
          </g>
        );
      })}
    </svg>
  );
}
