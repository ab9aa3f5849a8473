/*
 * The function words of some languages, by kind: articles, pronouns, prepositions, conjunctions, auxiliaries, and the
 * adverbs that say nothing of what a text is about. Each is written as text is, and cut and folded as text is when it
 * is used; what is left of contractions when an apostrophe cuts them is there, too.
 */
#include "weigh/stop_words.h"

#include <string.h>

static const char *const english[] = {
    /* articles, demonstratives, quantifiers */
    "a", "an", "the", "this", "that", "these", "those", "all", "any", "both", "each", "either", "every", "few", "many",
    "more", "most", "much", "neither", "no", "none", "other", "others", "another", "same", "several", "some", "such",
    /* pronouns */
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your", "yours", "yourself",
    "yourselves", "he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself", "they", "them",
    "their", "theirs", "themselves", "who", "whom", "whose", "which", "what", "whatever", "whoever", "whichever", "one",
    "ones", "oneself", "someone", "something", "anyone", "anything", "everyone", "everything", "nothing", "nobody",
    /* prepositions */
    "about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before", "behind", "below",
    "beneath", "beside", "besides", "between", "beyond", "by", "despite", "down", "during", "except", "for", "from",
    "in", "inside", "into", "like", "near", "of", "off", "on", "onto", "out", "outside", "over", "per", "since",
    "through", "throughout", "to", "toward", "towards", "under", "until", "up", "upon", "via", "with", "within",
    "without",
    /* conjunctions */
    "and", "or", "nor", "but", "if", "because", "although", "though", "unless", "while", "whereas", "whether", "than",
    "so", "yet",
    /* auxiliaries and modals */
    "am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "having", "do", "does", "did",
    "doing", "done", "can", "could", "may", "might", "must", "shall", "should", "will", "would", "ought", "cannot",
    /* adverbs */
    "again", "almost", "already", "also", "always", "ever", "even", "else", "further", "hence", "here", "how",
    "however", "just", "never", "not", "now", "often", "once", "only", "otherwise", "perhaps", "quite", "rather",
    "still", "then", "thence", "there", "therefore", "thereby", "thus", "too", "very", "well", "when", "whence",
    "where", "why", "what",
    /* of contractions */
    "s", "t", "d", "ll", "m", "re", "ve", "don", "didn", "doesn", "isn", "aren", "wasn", "weren", "hasn", "haven",
    "hadn", "won", "wouldn", "couldn", "shouldn", "mustn", "ain"};

static const char *const german[] = {
    /* articles, demonstratives, quantifiers */
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "kein", "keine",
    "keinen", "keinem", "keiner", "keines", "dieser", "diese", "dieses", "diesen", "diesem", "jener", "jene", "jenes",
    "jenen", "jenem", "jeder", "jede", "jedes", "jeden", "jedem", "alle", "allen", "aller", "alles", "viele", "vielen",
    "vieler", "einige", "einigen", "einiger", "manche", "manchen", "mancher", "solche", "solchen", "solcher", "andere",
    "anderen", "anderer", "anderes", "welche", "welchen", "welcher", "welches",
    /* pronouns */
    "ich", "mich", "mir", "mein", "meine", "meinen", "meinem", "meiner", "du", "dich", "dir", "dein", "deine", "er",
    "ihn", "ihm", "sein", "seine", "seinen", "seinem", "seiner", "seines", "sie", "ihr", "ihre", "ihren", "ihrem",
    "ihrer", "ihnen", "es", "wir", "uns", "unser", "unsere", "unseren", "euch", "euer", "eure", "sich", "man", "wer",
    "wen", "wem", "wessen", "was", "etwas", "nichts", "jemand", "niemand",
    /* prepositions */
    "ab", "an", "am", "auf", "aus", "bei", "beim", "bis", "durch", "für", "gegen", "hinter", "in", "im", "ins", "mit",
    "nach", "neben", "ohne", "seit", "statt", "trotz", "über", "um", "unter", "von", "vom", "vor", "während", "wegen",
    "zu", "zum", "zur", "zwischen",
    /* conjunctions */
    "und", "oder", "aber", "denn", "sondern", "dass", "daß", "ob", "weil", "wenn", "als", "wie", "obwohl", "damit",
    "sowie", "sowohl", "weder", "noch", "entweder", "falls", "indem", "nachdem", "bevor", "sobald", "solange",
    /* auxiliaries and modals */
    "bin", "bist", "ist", "sind", "seid", "war", "waren", "wäre", "wären", "gewesen", "habe", "hast", "hat", "haben",
    "habt", "hatte", "hatten", "hätte", "hätten", "gehabt", "werde", "wirst", "wird", "werden", "wurde", "wurden",
    "würde", "würden", "worden", "geworden", "kann", "können", "konnte", "konnten", "könnte", "könnten", "muss", "muß",
    "müssen", "musste", "mussten", "soll", "sollen", "sollte", "sollten", "will", "wollen", "wollte", "wollten", "darf",
    "dürfen", "durfte", "mag", "mögen", "möchte", "möchten",
    /* adverbs */
    "auch", "bereits", "da", "dabei", "dadurch", "dafür", "dagegen", "daher", "dann", "daran", "darauf", "daraus",
    "darin", "darüber", "darum", "davon", "dazu", "doch", "dort", "ebenso", "eben", "erst", "etwa", "ganz", "gar",
    "hier", "immer", "ja", "jedoch", "jetzt", "mehr", "nein", "nicht", "nie", "nun", "nur", "oft", "schon", "sehr",
    "so", "sonst", "warum", "wieder", "wo", "wobei", "wohl", "zwar"};

static const char *const french[] = {
    /* articles, demonstratives, quantifiers */
    "le", "la", "les", "un", "une", "des", "du", "de", "ce", "cet", "cette", "ces", "tout", "toute", "tous", "toutes",
    "chaque", "quelque", "quelques", "plusieurs", "aucun", "aucune", "autre", "autres", "même", "mêmes", "tel", "telle",
    "tels", "telles", "quel", "quelle", "quels", "quelles",
    /* pronouns */
    "je", "me", "moi", "mon", "ma", "mes", "tu", "te", "toi", "ton", "ta", "tes", "il", "elle", "lui", "son", "sa",
    "ses", "nous", "notre", "nos", "vous", "votre", "vos", "ils", "elles", "eux", "leur", "leurs", "se", "soi", "on",
    "qui", "que", "quoi", "dont", "où", "celui", "celle", "ceux", "celles", "ceci", "cela", "ça", "y", "en", "lequel",
    "laquelle", "lesquels", "lesquelles", "rien", "personne",
    /* prepositions */
    "à", "au", "aux", "après", "avant", "avec", "chez", "contre", "dans", "depuis", "derrière", "dès", "devant",
    "durant", "entre", "envers", "hors", "jusque", "malgré", "par", "parmi", "pendant", "pour", "sans", "sauf", "selon",
    "sous", "sur", "vers",
    /* conjunctions */
    "et", "ou", "mais", "donc", "or", "ni", "car", "si", "comme", "lorsque", "puisque", "quand", "quoique", "afin",
    /* auxiliaries */
    "être", "suis", "es", "est", "sommes", "êtes", "sont", "étais", "était", "étions", "étaient", "sera", "seront",
    "serait", "seraient", "été", "étant", "soit", "soient", "fut", "furent", "avoir", "ai", "as", "a", "avons", "avez",
    "ont", "avais", "avait", "avions", "avaient", "aura", "auront", "aurait", "auraient", "eu", "ayant", "ait", "peut",
    "peuvent", "pouvait", "pourrait", "doit", "doivent", "fait", "font",
    /* adverbs */
    "ne", "pas", "plus", "moins", "point", "jamais", "non", "oui", "aussi", "ainsi", "alors", "assez", "aujourd", "hui",
    "bien", "cependant", "déjà", "encore", "enfin", "ensuite", "ici", "là", "peu", "pourquoi", "presque", "puis",
    "souvent", "surtout", "tant", "toujours", "très", "trop",
    /* of elisions */
    "c", "d", "j", "l", "m", "n", "qu", "s", "t", "jusqu", "lorsqu", "puisqu", "quelqu"};

static const char *const spanish[] = {
    /* articles, demonstratives, quantifiers */
    "el", "la", "los", "las", "lo", "un", "una", "unos", "unas", "este", "esta", "estos", "estas", "esto", "ese", "esa",
    "esos", "esas", "eso", "aquel", "aquella", "aquellos", "aquellas", "aquello", "todo", "toda", "todos", "todas",
    "cada", "algún", "alguna", "algunos", "algunas", "ningún", "ninguna", "otro", "otra", "otros", "otras", "mismo",
    "misma", "mismos", "mismas", "mucho", "mucha", "muchos", "muchas", "poco", "poca", "pocos", "pocas", "tal", "tales",
    "varios", "varias", "ambos", "ambas",
    /* pronouns */
    "yo", "me", "mí", "mi", "mis", "mío", "mía", "tú", "te", "ti", "tu", "tus", "tuyo", "tuya", "él", "ella", "ello",
    "se", "sí", "le", "les", "su", "sus", "suyo", "suya", "nosotros", "nosotras", "nos", "nuestro", "nuestra",
    "nuestros", "nuestras", "vosotros", "vosotras", "os", "vuestro", "vuestra", "ellos", "ellas", "usted", "ustedes",
    "que", "qué", "quien", "quién", "quienes", "cual", "cuál", "cuales", "cuyo", "cuya", "cuyos", "cuyas", "alguien",
    "algo", "nadie", "nada",
    /* prepositions */
    "a", "al", "ante", "bajo", "con", "contra", "de", "del", "desde", "durante", "en", "entre", "hacia", "hasta",
    "mediante", "para", "por", "según", "sin", "sobre", "tras",
    /* conjunctions */
    "y", "e", "o", "u", "ni", "pero", "sino", "aunque", "porque", "pues", "si", "como", "cuando", "mientras", "donde",
    /* auxiliaries */
    "ser", "soy", "eres", "es", "somos", "sois", "son", "era", "eran", "fue", "fueron", "sea", "sean", "será", "serán",
    "sería", "sido", "siendo", "estar", "estoy", "está", "estamos", "están", "estaba", "estaban", "estado", "haber",
    "he", "has", "ha", "hemos", "han", "había", "habían", "haya", "hayan", "habrá", "habría", "hay", "hubo", "tiene",
    "tienen", "tenía", "puede", "pueden", "podía", "podría", "debe", "deben", "debía", "hace", "hacen",
    /* adverbs */
    "no", "sí", "más", "menos", "muy", "ya", "también", "tampoco", "tan", "tanto", "así", "aún", "todavía", "bien",
    "casi", "cómo", "cuándo", "dónde", "entonces", "luego", "ahora", "antes", "después", "siempre", "nunca", "solo",
    "sólo", "aquí", "allí"};

static const char *const italian[] = {
    /* articles, and what prepositions make of them */
    "il", "lo", "la", "i", "gli", "le", "un", "uno", "una", "del", "dello", "della", "dei", "degli", "delle", "al",
    "allo", "alla", "ai", "agli", "alle", "dal", "dallo", "dalla", "dai", "dagli", "dalle", "nel", "nello", "nella",
    "nei", "negli", "nelle", "sul", "sullo", "sulla", "sui", "sugli", "sulle", "col", "coi",
    /* demonstratives, quantifiers */
    "questo", "questa", "questi", "queste", "quello", "quella", "quelli", "quelle", "quel", "quei", "quegli", "tutto",
    "tutta", "tutti", "tutte", "ogni", "qualche", "alcuni", "alcune", "nessuno", "nessuna", "altro", "altra", "altri",
    "altre", "stesso", "stessa", "stessi", "stesse", "molto", "molta", "molti", "molte", "poco", "poca", "pochi",
    "poche", "tale", "tali", "entrambi",
    /* pronouns */
    "io", "me", "mi", "mio", "mia", "miei", "mie", "tu", "te", "ti", "tuo", "tua", "tuoi", "tue", "egli", "lui", "lei",
    "esso", "essa", "essi", "esse", "suo", "sua", "suoi", "sue", "si", "sé", "noi", "ci", "nostro", "nostra", "nostri",
    "nostre", "voi", "vi", "vostro", "vostra", "vostri", "vostre", "loro", "li", "ne", "che", "chi", "cui", "quale",
    "quali", "cosa", "qualcuno", "qualcosa", "niente", "nulla",
    /* prepositions */
    "di", "a", "da", "in", "con", "su", "per", "tra", "fra", "contro", "durante", "senza", "sopra", "sotto", "verso",
    "presso", "dopo", "prima", "secondo",
    /* conjunctions */
    "e", "ed", "o", "oppure", "ma", "però", "né", "se", "perché", "poiché", "mentre", "quando", "come", "anche",
    "dunque", "quindi", "dove",
    /* auxiliaries */
    "essere", "sono", "sei", "è", "siamo", "siete", "era", "erano", "fu", "furono", "sarà", "saranno", "sarebbe", "sia",
    "siano", "stato", "stata", "stati", "state", "essendo", "avere", "ho", "hai", "ha", "abbiamo", "avete", "hanno",
    "aveva", "avevano", "avrà", "avrebbe", "abbia", "abbiano", "avuto", "può", "possono", "poteva", "potrebbe", "deve",
    "devono", "doveva", "fa", "fanno",
    /* adverbs */
    "non", "più", "meno", "già", "ancora", "così", "allora", "poi", "sempre", "mai", "solo", "bene", "qui", "qua", "lì",
    "là", "quanto", "tanto", "troppo", "ora", "adesso", "invece", "inoltre",
    /* of elisions */
    "l", "d", "c", "dell", "all", "dall", "nell", "sull", "un", "quest", "quell"};

static const char *const dutch[] = {
    /* articles, demonstratives, quantifiers */
    "de", "het", "een", "dit", "dat", "deze", "die", "elk", "elke", "ieder", "iedere", "alle", "alles", "veel", "vele",
    "weinig", "sommige", "enkele", "andere", "ander", "zelfde", "zulke", "geen", "beide", "meer", "meest",
    /* pronouns */
    "ik", "mij", "me", "mijn", "jij", "je", "jou", "jouw", "u", "uw", "hij", "hem", "zijn", "zij", "ze", "haar", "wij",
    "we", "ons", "onze", "jullie", "hun", "hen", "zich", "zichzelf", "men", "wie", "wiens", "wat", "welk", "welke",
    "iemand", "iets", "niemand", "niets", "er",
    /* prepositions */
    "aan", "achter", "bij", "binnen", "boven", "buiten", "door", "in", "langs", "met", "na", "naar", "naast", "om",
    "onder", "op", "over", "per", "sinds", "te", "tegen", "ten", "ter", "tijdens", "tot", "tussen", "uit", "van",
    "vanaf", "via", "volgens", "voor", "zonder",
    /* conjunctions */
    "en", "of", "maar", "want", "dus", "als", "dan", "omdat", "doordat", "hoewel", "indien", "terwijl", "toen",
    "wanneer", "zoals", "zodat", "zowel", "noch",
    /* auxiliaries */
    "ben", "bent", "is", "was", "waren", "wees", "geweest", "heb", "hebt", "heeft", "hebben", "had", "hadden", "gehad",
    "word", "wordt", "worden", "werd", "werden", "geworden", "kan", "kunnen", "kon", "konden", "moet", "moeten",
    "moest", "moesten", "mag", "mogen", "mocht", "zal", "zullen", "zou", "zouden", "wil", "willen", "wilde",
    /* adverbs */
    "al", "altijd", "daar", "daarom", "eens", "echter", "erg", "heel", "hier", "hoe", "ja", "nee", "niet", "nog",
    "nooit", "nu", "ook", "ooit", "reeds", "steeds", "toch", "vaak", "waar", "waarom", "weer", "wel", "zeer", "zo"};

static const char *const portuguese[] = {
    /* articles, and what prepositions make of them */
    "o", "a", "os", "as", "um", "uma", "uns", "umas", "do", "da", "dos", "das", "no", "na", "nos", "nas", "ao", "à",
    "aos", "às", "pelo", "pela", "pelos", "pelas", "num", "numa",
    /* demonstratives, quantifiers */
    "este", "esta", "estes", "estas", "isto", "esse", "essa", "esses", "essas", "isso", "aquele", "aquela", "aqueles",
    "aquelas", "aquilo", "todo", "toda", "todos", "todas", "tudo", "cada", "algum", "alguma", "alguns", "algumas",
    "nenhum", "nenhuma", "outro", "outra", "outros", "outras", "mesmo", "mesma", "mesmos", "mesmas", "muito", "muita",
    "muitos", "muitas", "pouco", "pouca", "poucos", "poucas", "tal", "tais", "vários", "várias", "ambos", "ambas",
    /* pronouns */
    "eu", "me", "mim", "meu", "minha", "meus", "minhas", "tu", "te", "ti", "teu", "tua", "teus", "tuas", "ele", "ela",
    "eles", "elas", "se", "si", "lhe", "lhes", "seu", "sua", "seus", "suas", "nós", "nosso", "nossa", "nossos",
    "nossas", "vós", "você", "vocês", "que", "quem", "qual", "quais", "cujo", "cuja", "cujos", "cujas", "alguém",
    "algo", "ninguém", "nada",
    /* prepositions */
    "ante", "após", "até", "com", "contra", "de", "desde", "durante", "em", "entre", "para", "perante", "por", "sem",
    "sob", "sobre",
    /* conjunctions */
    "e", "ou", "nem", "mas", "porém", "pois", "porque", "embora", "como", "quando", "enquanto", "onde", "portanto",
    /* auxiliaries */
    "ser", "sou", "é", "somos", "são", "era", "eram", "foi", "foram", "seja", "sejam", "será", "serão", "seria", "sido",
    "sendo", "estar", "está", "estão", "estava", "estavam", "esteja", "ter", "tem", "têm", "tinha", "tinham", "teve",
    "tenha", "tenham", "terá", "teria", "tido", "haver", "há", "havia", "houve", "haja", "pode", "podem", "podia",
    "poderia", "deve", "devem", "devia",
    /* adverbs */
    "não", "sim", "mais", "menos", "muito", "já", "também", "tão", "tanto", "assim", "ainda", "bem", "quase", "então",
    "depois", "antes", "agora", "sempre", "nunca", "só", "aqui", "ali", "lá"};

static const char *const swedish[] = {
    /* articles, demonstratives, quantifiers */
    "en", "ett", "den", "det", "de", "denna", "detta", "dessa", "all", "alla", "allt", "varje", "någon", "något",
    "några", "ingen", "inget", "inga", "annan", "annat", "andra", "samma", "sådan", "sådana", "sådant", "många",
    "mycket", "mer", "mest", "få", "flera", "båda",
    /* pronouns */
    "jag", "mig", "min", "mitt", "mina", "du", "dig", "din", "ditt", "dina", "han", "honom", "hans", "hon", "henne",
    "hennes", "dess", "vi", "oss", "vår", "vårt", "våra", "ni", "er", "ert", "era", "dem", "deras", "sig", "sin",
    "sitt", "sina", "man", "vem", "vems", "vad", "vilken", "vilket", "vilka", "som",
    /* prepositions */
    "av", "bakom", "efter", "enligt", "från", "för", "före", "genom", "hos", "i", "inom", "med", "mellan", "mot", "om",
    "omkring", "på", "sedan", "till", "under", "ur", "utan", "utom", "vid", "via", "över", "åt",
    /* conjunctions */
    "och", "eller", "men", "att", "därför", "eftersom", "fast", "innan", "medan", "när", "då", "samt", "så", "än",
    /* auxiliaries */
    "är", "var", "vara", "varit", "vore", "har", "hade", "ha", "haft", "blir", "blev", "bli", "blivit", "kan", "kunde",
    "kunna", "ska", "skall", "skulle", "vill", "ville", "vilja", "måste", "bör", "borde", "får", "fick", "göra", "gör",
    /* adverbs */
    "inte", "ej", "aldrig", "alltid", "också", "bara", "där", "dit", "här", "hit", "hur", "ja", "nej", "ju", "nu",
    "redan", "sällan", "ofta", "upp", "ut", "varför", "väl", "ännu"};

#define LIST(words) (words), sizeof(words) / sizeof *(words)

typedef struct language_row {
    akin_choice choice; /* which has no value */
    const char *const *words;
    size_t count;
} language_row;

static const language_row languages[] = {
    {{"dutch", "", "function words of Dutch", 0, 0}, LIST(dutch)},
    {{"english", "", "function words of English", 0, 0}, LIST(english)},
    {{"french", "", "function words of French", 0, 0}, LIST(french)},
    {{"german", "", "function words of German", 0, 0}, LIST(german)},
    {{"italian", "", "function words of Italian", 0, 0}, LIST(italian)},
    {{"portuguese", "", "function words of Portuguese", 0, 0}, LIST(portuguese)},
    {{"spanish", "", "function words of Spanish", 0, 0}, LIST(spanish)},
    {{"swedish", "", "function words of Swedish", 0, 0}, LIST(swedish)},
};
const akin_choice_table akin_languages = AKIN_CHOICE_TABLE("language of stop words", languages);

akin_status akin_stop_words(const char *language, const char *const **out, uint32_t *count, akin_error *error)
{
    const akin_choice *choice = NULL;
    akin_status status = akin_choice_parse(&akin_languages, language, strlen(language), 0, &choice, error);
    if (status != AKIN_OK)
        return status;
    const language_row *row = (const language_row *)choice;
    *out = row->words;
    *count = (uint32_t)row->count;
    return AKIN_OK;
}
