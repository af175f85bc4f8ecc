// The chart of the README: one panel of bars for each figure, a bar for each contestant, drawn by echarts into SVG.

import { machineLine } from '../machine.js'
import type { Run } from '../run.js'
import { shown } from '../table.js'
import { type Figure, figuresOf } from './figures.js'

const columnCount = 2
const panelWidth = 500
const barHeight = 20
const top = 70
const headHeight = 46
const labelWidth = 175
const colors = { ours: '#2563eb', limit: '#64748b', others: '#cbd5e1', text: '#1e293b', faint: '#64748b' }

function colorOf(name: string): string {
  if (name.startsWith('quiesce')) return colors.ours
  return name.startsWith('plain C') ? colors.limit : colors.others
}

interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

function panel({ title, unit, better, bars }: Figure, place: Place, index: number) {
  const longest = Math.max(...bars.map(({ median }) => median))
  return {
    title: {
      text: title,
      subtext: `${unit}, ${better} is better`,
      left: place.left,
      top: place.top - headHeight,
      itemGap: 3,
      textStyle: { fontSize: 13, color: colors.text },
      subtextStyle: { fontSize: 11, color: colors.faint }
    },
    grid: { ...place, left: place.left + labelWidth, width: place.width - labelWidth - 60 },
    xAxis: { gridIndex: index, type: 'value', show: false, min: 0, max: longest },
    yAxis: {
      gridIndex: index,
      type: 'category',
      inverse: true,
      data: bars.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { fontSize: 11, color: colors.text }
    },
    series: {
      type: 'bar',
      xAxisIndex: index,
      yAxisIndex: index,
      barWidth: '70%',
      data: bars.map(({ name, median }) => ({ value: median, itemStyle: { color: colorOf(name) } })),
      label: {
        show: true,
        position: 'right',
        fontSize: 11,
        color: colors.text,
        formatter: ({ value }: { value: number }) => shown(value)
      }
    }
  }
}

function layOut(figures: readonly Figure[]): { places: Place[]; height: number } {
  const height = barHeight * Math.max(...figures.map(({ bars }) => bars.length))
  const rowHeight = headHeight + height + 24
  const places = figures.map((figure, index) => ({
    left: 20 + (index % columnCount) * panelWidth,
    top: top + Math.floor(index / columnCount) * rowHeight + headHeight,
    width: panelWidth - 20,
    height: barHeight * figure.bars.length
  }))
  return { places, height: top + Math.ceil(figures.length / columnCount) * rowHeight }
}

export async function chartOf(run: Run): Promise<string> {
  const { init } = await import('echarts')
  const figures = figuresOf(run)
  const { places, height } = layOut(figures)
  const panels = figures.map((figure, index) => panel(figure, places[index] as Place, index))
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: columnCount * panelWidth + 20, height })
  const heading = {
    text: 'bash -c : with both streams captured',
    subtext: `${machineLine(run.machine)}\nmedians of ${run.roundCount} rounds, ${run.date.slice(0, 10)}`,
    left: 20,
    top: 8,
    textStyle: { fontSize: 16, color: colors.text },
    subtextStyle: { fontSize: 11, color: colors.faint, lineHeight: 14 }
  }
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: [heading, ...panels.map(({ title }) => title)],
    grid: panels.map(({ grid }) => grid),
    xAxis: panels.map(({ xAxis }) => xAxis),
    yAxis: panels.map(({ yAxis }) => yAxis),
    series: panels.map(({ series }) => series)
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return `${svg}\n`
}
