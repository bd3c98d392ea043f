const SIGNS =
  '⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳';
const IDEOGRAPHS =
  '厂乛乚乙亻冂几刀刂卜㔾小小兀尣尢尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒罓罓网羊羊羊耂肀聿月臼艹艹艹虎衤覀西见角角讠贝足车辶辶辶阝钅長镸长门阜阝雨青韦页风飞食飠飠饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟';

/** The ideograph of each radical of U+2E80 to U+2EFF, which NFKC leaves as it is (Unicode's EquivalentUnifiedIdeograph). */
export const RADICALS: Readonly<Record<string, string>> = Object.fromEntries(
  [...SIGNS].map((sign, at) => [sign, [...IDEOGRAPHS][at] ?? sign]),
);
