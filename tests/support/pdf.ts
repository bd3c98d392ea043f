/** A PDF of one page. `content`: its drawing operators, encoded as `filter` says. There is no table of objects: readers make one. */
export function pdfOf(content: string | Uint8Array, filter = ''): Buffer {
  const before = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}${filter}>>stream
`;
  const after = `
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Title(Tide tables)>>endobj
trailer<</Root 1 0 R/Info 6 0 R>>`;
  return Buffer.concat([Buffer.from(before), Buffer.from(content), Buffer.from(after)]);
}

export const pdfOfText = (text: string): Buffer => pdfOf(`BT /F1 12 Tf 20 100 Td (${text}) Tj ET`);
