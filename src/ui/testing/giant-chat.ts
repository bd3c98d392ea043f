import type { MessageView, ToolCallView } from '../../chat/view/view.ts';
import { answer, userMessage } from './fake-controller.ts';

const BLOCK = '20260412093011-abc1234';
const TEXTS = [
  `Short: your notes name **sealed ground** first ((${BLOCK} "Street trees")).`,
  'Three things, in the order of your notes:\n\n- dark roofs and asphalt store the heat of the day\n- few trees, so `evapotranspiration` is missing\n- waste heat of air conditioning\n\nThe last one is only in one note.',
  '| Measure | Effect | Cost |\n| :-- | --: | :-- |\n| Street trees | −12 °C | low |\n| Cool roofs | −7 °C | middle |\n\nWith both together the street is cool enough to sit in, as the trial of 2024 showed.',
  "```sql\nSELECT * FROM blocks WHERE content LIKE '%heat%' LIMIT 20;\n```\n\nThis is how I looked for it. The query finds titles too, since a note is a block of its own.",
  '你的笔记里有三处提到热岛：地面硬化、树木太少、空调废热。前两条来自同一篇，第三条只有一句话，没有出处。\n\n> 公园大约低一度。',
];

const read = (index: number): ToolCallView => ({
  callId: `call-${index}`,
  tool: 'read_doc',
  args: { path: '/Urban heat' },
  status: 'success',
  durationMs: 480,
  preview: '# Urban heat',
  started: 0,
});

/** A chat of questions and answers of every size; the same for each run. */
export function giantChat(count: number): readonly MessageView[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return userMessage(`Question ${index / 2 + 1}`, { created: index });
    const size = 1 + ((index * 7) % 4);
    const text = Array.from({ length: size }, (__, part) => TEXTS[(index + part) % TEXTS.length]).join('\n\n');
    return answer(
      [
        { kind: 'call', call: read(index) },
        { kind: 'text', text },
      ],
      { citations: [BLOCK], created: index },
    );
  });
}
